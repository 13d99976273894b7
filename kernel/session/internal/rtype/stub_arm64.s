#include "textflag.h"
#include "go_asm.h"

// Each entry puts its number in R16 and goes on at enter, which calls the closure of that number in contexts with the
// arguments as they are: the closure register is R26, R16 is scratch at a function's entry (Go's internal ABI).

#define S1(n) PCALIGN $16; MOVD $(n), R16; B enter
#define S4(n) S1(n); S1(n+1); S1(n+2); S1(n+3)
#define S16(n) S4(n); S4(n+4); S4(n+8); S4(n+12)
#define S64(n) S16(n); S16(n+16); S16(n+32); S16(n+48)
#define S256(n) S64(n); S64(n+64); S64(n+128); S64(n+192)
#define S1024(n) S256(n); S256(n+256); S256(n+512); S256(n+768)
#define S4096(n) S1024(n); S1024(n+1024); S1024(n+2048); S1024(n+3072)
#define S16384(n) S4096(n); S4096(n+4096); S4096(n+8192); S4096(n+12288)

// func stubs()
TEXT ·stubs(SB), NOSPLIT|NOFRAME, $0-0
	S16384(0)
	S16384(16384)
	S16384(32768)
	S16384(49152)
enter:
	MOVD $·contexts(SB), R26
	MOVD (R26)(R16<<3), R26
	MOVD (R26), R16
	B    (R16)

// func firstStub() unsafe.Pointer
TEXT ·firstStub(SB), NOSPLIT, $0-8
	MOVD $·stubs(SB), R0
	MOVD R0, ret+0(FP)
	RET
