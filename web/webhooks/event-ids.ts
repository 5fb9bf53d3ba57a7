/**
 * The id that an event of this moment would have if it were the first of its millisecond: ids are UUIDs that begin with
 * their time. What comes after it happened at this moment or later.
 */
export const eventIdAt = (moment: Date) => {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `evt_${time.slice(0, 8)}-${time.slice(8, 12)}-7000-8000-000000000000`
}
