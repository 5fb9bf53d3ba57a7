import { createTokens } from '#platform/auth/tokens.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'

type Claims = { sub: string; epoch: number }

/** Bearer tokens of signed-in users. A token of an earlier epoch than the user's is no longer valid. */
export const tokens = moduleState(({ secrets, clock }: Platform) =>
  createTokens<Claims>({
    key: secrets.key('storage.tokens'),
    audience: 'storage',
    lifetimeSeconds: 12 * 3600,
    clock,
  }),
)
