/** All names that the browser knows; the service knows at least these, and decides. */
export const timeZones = () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]

/** "It is 16:20 there now.", or nothing for what is no time zone yet. */
export const timeIn = (timeZone: string, now = new Date()) => {
  try {
    const time = now.toLocaleTimeString(undefined, { timeZone: timeZone.trim(), timeStyle: 'short' })
    return `It is ${time} there now.`
  } catch {
    return ''
  }
}
