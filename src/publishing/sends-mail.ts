import type { Publishing } from './context.ts'

/** Whether there is a mail server. Without one, mails are files that only the operator reads. */
export const sendsMail = ({ config }: Publishing) => config.smtpUrl !== undefined
