package journal

import "reprise/sim/digest"

// checksum returns the FNV-1a 64 of b.
func checksum(b []byte) uint64 { return digest.Of(b) }
