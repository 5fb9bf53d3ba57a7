/** Not every browser has it yet, nor every version of TypeScript. */
type Encodable = Uint8Array & { toBase64?(): string }

/** In Base64. Without `toBase64` there is `btoa`; a function takes only so many arguments at once. */
export const base64Of = (bytes: Encodable): string => {
  if (typeof bytes.toBase64 === 'function') return bytes.toBase64()
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** Lets the server verify what arrives, as the header Content-Digest. Browsers have it only on secure pages. */
export const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> => {
  if (!globalThis.crypto?.subtle) return undefined
  return `sha-256=:${base64Of(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}:`
}
