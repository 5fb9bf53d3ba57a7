import { Secret, TOTP } from 'otpauth'

const settings = { algorithm: 'SHA1', digits: 6, period: 30 }

export const newTotp = ({ issuer, account }: { issuer: string; account: string }) => {
  const totp = new TOTP({ ...settings, issuer, label: account, secret: new Secret({ size: 20 }) })
  return { secret: totp.secret.base32, url: totp.toString() }
}

/**
 * The time step of a valid code, or `null` if the code is wrong or its step has been used. The caller stores the step, so
 * that a code works only once.
 */
export const checkTotp = (secret: string, code: string, now: Date, lastUsedStep: number | null) => {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const offset = TOTP.validate({
    ...settings,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: 1,
  })
  if (offset === null) return null
  const step = TOTP.counter({ period: settings.period, timestamp }) + offset
  return lastUsedStep !== null && step <= lastUsedStep ? null : step
}
