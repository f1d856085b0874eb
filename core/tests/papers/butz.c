/* The seven steps of [CXA] 5.4.2. A byte is an array of bits, 0 the most significant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "papers/butz.h"

#define MOST_BITS 8

typedef struct byte {
    int at[MOST_BITS];
} byte;

static byte exclusive_or(byte a, byte b, int k)
{
    for (int j = 0; j < k; j++) {
        a.at[j] ^= b.at[j];
    }
    return a;
}

/* Left circular; to the right where `by` is negative. */
static byte shifted(byte a, int by, int k)
{
    byte out = {{0}};

    for (int j = 0; j < k; j++) {
        out.at[j] = a.at[((j + by) % k + k) % k];
    }
    return out;
}

static byte rho_of(byte sigma, int k, unsigned slips)
{
    byte rho = sigma;

    for (int j = 1; j < k; j++) {
        rho.at[j] ^= (slips & BUTZ_RHO_OF_SIGMA) != 0 ? sigma.at[j - 1] : rho.at[j - 1];
    }
    return rho;
}

/* Where all bits are equal, which the text does not mention, the last position. */
static int principal_of(byte rho, int k)
{
    for (int j = k - 1; j >= 0; j--) {
        if (rho.at[j] != rho.at[k - 1]) {
            return j;
        }
    }
    return k - 1;
}

static byte tau_of(byte sigma, int principal, int k)
{
    int parity = 0;

    sigma.at[k - 1] ^= 1;
    for (int j = 0; j < k; j++) {
        parity ^= sigma.at[j];
    }
    sigma.at[principal] ^= parity;
    return sigma;
}

uint64_t butz_position(int k, int order, const int64_t coord[], unsigned slips)
{
    byte omega = {{0}}, tau = {{0}};
    uint64_t key = 0;
    int shift = 0;

    for (int level = order - 1; level >= 0; level--) {
        byte alpha = {{0}};
        for (int axis = 0; axis < k; axis++) {
            alpha.at[axis] = (int)(coord[axis] >> level & 1);
        }
        omega = exclusive_or(omega, tau, k);
        byte sigma = shifted(exclusive_or(alpha, omega, k), shift, k);
        byte rho = rho_of(sigma, k, slips);
        int principal = principal_of(rho, k);
        tau =
            shifted(tau_of(sigma, principal, k), (slips & BUTZ_TAU_LEFT) != 0 ? shift : -shift, k);
        byte group = (slips & BUTZ_KEY_OF_TAU) != 0 ? tau : rho;
        for (int j = 0; j < k; j++) {
            key = key << 1 | (uint64_t)group.at[j];
        }
        shift += (slips & BUTZ_SHIFT_J_MINUS_1) != 0 ? principal - 1 : principal;
        shift = (shift % k + k) % k;
    }
    return key;
}
