import xxhash from 'xxhash-wasm'

const { h64, h64Raw } = await xxhash()

/**
 * The entity tag of a body: the same for the same bytes on every node. All it has to do is change when the body does, so
 * a fast hash is enough. It is not cryptographic: whoever forged a collision could only hide an edit of their own from
 * readers who revalidate.
 */
export const etagOf = (body: string | Uint8Array) =>
  `"${(typeof body === 'string' ? h64(body) : h64Raw(body)).toString(36)}"`
