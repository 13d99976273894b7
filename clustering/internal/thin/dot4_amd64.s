//go:build amd64 && !noasm && !gccgo && !safe

#include "textflag.h"

// func dot4AVX(dst, x, y []float64, stride int)
//
// One register of four lanes for each of the four sums, as doc.go orders them: Y0..Y3 take four products a round.
TEXT ·dot4AVX(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	MOVQ y_base+48(FP), R8
	MOVQ stride+72(FP), AX
	SHLQ $3, AX              // bytes from one row of y to the next
	LEAQ (R8)(AX*1), R9
	LEAQ (R9)(AX*1), R10
	LEAQ (R10)(AX*1), R11
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	XORQ BX, BX              // index
	SUBQ $4, CX
	JLT  halves

four:
	VMOVUPD (SI)(BX*8), Y4
	VMULPD  (R8)(BX*8), Y4, Y5
	VMULPD  (R9)(BX*8), Y4, Y6
	VMULPD  (R10)(BX*8), Y4, Y7
	VMULPD  (R11)(BX*8), Y4, Y8
	VADDPD  Y5, Y0, Y0
	VADDPD  Y6, Y1, Y1
	VADDPD  Y7, Y2, Y2
	VADDPD  Y8, Y3, Y3
	ADDQ    $4, BX
	SUBQ    $4, CX
	JGE     four

halves:
	// Lanes 2 and 3 go to X9..X12: scalar operations clear them.
	VEXTRACTF128 $1, Y0, X9
	VEXTRACTF128 $1, Y1, X10
	VEXTRACTF128 $1, Y2, X11
	VEXTRACTF128 $1, Y3, X12
	ADDQ $4, CX
	JEQ  fold

one:
	VMOVSD (SI)(BX*8), X4
	VMULSD (R8)(BX*8), X4, X5
	VMULSD (R9)(BX*8), X4, X6
	VMULSD (R10)(BX*8), X4, X7
	VMULSD (R11)(BX*8), X4, X8
	VADDSD X5, X0, X0
	VADDSD X6, X1, X1
	VADDSD X7, X2, X2
	VADDSD X8, X3, X3
	INCQ   BX
	DECQ   CX
	JNE    one

fold:
	// (lane 0 + lane 2, lane 1 + lane 3), then the sum of the two.
	VADDPD    X9, X0, X0
	VADDPD    X10, X1, X1
	VADDPD    X11, X2, X2
	VADDPD    X12, X3, X3
	VUNPCKHPD X0, X0, X5
	VUNPCKHPD X1, X1, X6
	VUNPCKHPD X2, X2, X7
	VUNPCKHPD X3, X3, X8
	VADDSD    X5, X0, X0
	VADDSD    X6, X1, X1
	VADDSD    X7, X2, X2
	VADDSD    X8, X3, X3
	VMOVSD    X0, (DI)
	VMOVSD    X1, 8(DI)
	VMOVSD    X2, 16(DI)
	VMOVSD    X3, 24(DI)
	VZEROUPPER
	RET
