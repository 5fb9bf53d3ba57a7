/** A number of bytes for people, such as 1.5 MiB. */
export const sizeOf = (bytes: number) => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power > 0 ? 1 : 0)} ${units[power]}`
}
