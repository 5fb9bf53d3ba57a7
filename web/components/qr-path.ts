import qrcode from 'qrcode-generator'

/** The dark squares of a QR code as one path, and how many squares a side has. */
export const qrPath = (text: string) => {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  let path = ''
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (code.isDark(y, x)) path += `M${x} ${y}h1v1h-1z`
  return { path, size }
}
