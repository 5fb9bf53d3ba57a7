import { none } from './none.tsx'

/** Opens a new message. */
export const EmailLink = ({ email }: { email: string | null }) =>
  email ? <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a> : none

/** Calls, on a device that can. */
export const PhoneLink = ({ phone }: { phone: string | null }) =>
  phone ? <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a> : none
