import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { PaymentProvider } from './providers/provider.ts'
import { type Sandbox, sandboxProvider } from './providers/sandbox.ts'
import { stripeProvider } from './providers/stripe.ts'

/** Card payments if a provider is configured, otherwise the sandbox. */
export const payments = moduleState(
  (platform: Platform): { provider: PaymentProvider; sandbox: Sandbox | null } => {
    const { stripe } = platform.config
    if (stripe) return { provider: stripeProvider(stripe, platform), sandbox: null }
    const sandbox = sandboxProvider(platform)
    return { provider: sandbox, sandbox }
  },
)
