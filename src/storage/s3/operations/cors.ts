import { type CorsRule, checkCors } from '../../buckets/cors.ts'
import { changeSettings, getSettings } from '../../buckets/settings.ts'
import { refuse, refusingAs } from '../errors.ts'
import { payloadOf, readVouchedDocument } from '../payload.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import type { Call } from '../request.ts'
import { childrenOf, type Element, readXml, textOf } from '../xml/read.ts'
import { bucketOf } from './places.ts'

export const getBucketCors = async (call: Call) => {
  const { cors } = await getSettings(call.ctx, call.me, (await bucketOf(call)).id)
  if (cors.length === 0) refuse('NoSuchCORSConfiguration')
  return xmlReply('CORSConfiguration', {
    CORSRule: cors.map(({ id, origins, methods, headers, exposedHeaders, maxAgeSeconds }) => ({
      ID: id,
      AllowedOrigin: origins,
      AllowedMethod: methods,
      AllowedHeader: headers,
      ExposeHeader: exposedHeaders,
      MaxAgeSeconds: maxAgeSeconds,
    })),
  })
}

const ruleIn = (rule: Element): CorsRule => {
  const texts = (name: string) => childrenOf(rule, name).map(({ text }) => text)
  const id = textOf(rule, 'ID')
  const maxAge = textOf(rule, 'MaxAgeSeconds')
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) refuse('MalformedXML')
  const [origins, methods] = [texts('AllowedOrigin'), texts('AllowedMethod')]
  if (origins.length === 0 || methods.length === 0) refuse('MalformedXML')
  return {
    ...(id === undefined ? {} : { id }),
    origins,
    methods,
    headers: texts('AllowedHeader'),
    exposedHeaders: texts('ExposeHeader'),
    ...(maxAge === undefined ? {} : { maxAgeSeconds: Number(maxAge) }),
  }
}

const maxBytes = 64 * 1024

export const putBucketCors = async (call: Call) => {
  const { id } = await bucketOf(call)
  const text = await readVouchedDocument(payloadOf(call))
  const cors = childrenOf(readXml(text, 'CORSConfiguration'), 'CORSRule').map(ruleIn)
  if (cors.length === 0) refuse('MalformedXML')
  if (Buffer.byteLength(text) > maxBytes)
    refuse('InvalidRequest', `A CORS configuration must have at most ${maxBytes} bytes`)
  refusingAs('InvalidRequest', () => checkCors(cors))
  await changeSettings(call.ctx, call.me, id, { cors })
  return emptyReply(200)
}

export const deleteBucketCors = async (call: Call) => {
  await changeSettings(call.ctx, call.me, (await bucketOf(call)).id, { cors: [] })
  return emptyReply(204)
}
