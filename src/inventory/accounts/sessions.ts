import { consoleSessions } from '#platform/auth/console-sessions.ts'

/** Sessions of people who use the console. */
export const sessions = consoleSessions('inventory')
