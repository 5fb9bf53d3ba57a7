import { ForgotPassword as Asking } from '#web/frame/forgot-password.tsx'
import { api } from '../api.ts'

export function ForgotPassword() {
  return <Asking request={(body) => api.POST('/auth/forgot-password', { body })} />
}
