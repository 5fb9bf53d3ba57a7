import { createHash, createHmac } from 'node:crypto'

/** The hash that the signer of AWS wants, made of node:crypto. */
export class Sha256 {
  readonly #hash
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data)
  }
  digest = async () => new Uint8Array(this.#hash.digest())
}
