package detmath

// Sqrtf returns the square root of x, as Sqrt does.
func Sqrtf(x float32) float32 { return float32(Sqrt(float64(x))) }

// Sinf returns the sine of x radians, as Sin does.
func Sinf(x float32) float32 { return float32(Sin(float64(x))) }

// Cosf returns the cosine of x radians, as Cos does.
func Cosf(x float32) float32 { return float32(Cos(float64(x))) }

// Expf returns e to the power x, as Exp does.
func Expf(x float32) float32 { return float32(Exp(float64(x))) }

// Logf returns the natural logarithm of x, as Log does.
func Logf(x float32) float32 { return float32(Log(float64(x))) }

// Powf returns x to the power y, as Pow does.
func Powf(x, y float32) float32 { return float32(Pow(float64(x), float64(y))) }

// Atan2f returns the angle of the point (x, y), as Atan2 does.
func Atan2f(y, x float32) float32 { return float32(Atan2(float64(y), float64(x))) }
