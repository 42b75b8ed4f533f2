module reprise

go 1.26.0

require (
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/evanw/esbuild v0.28.2 // indirect
	github.com/hack-pad/safejs v0.1.1 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	maragu.dev/gomponents v1.3.0 // indirect
)
