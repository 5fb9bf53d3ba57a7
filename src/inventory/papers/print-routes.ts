import type { FastifyReply, FastifyRequest } from 'fastify'
import { countAgainst } from '#platform/http/request/count-against.ts'
import { limits, who } from '../access.ts'
import type { Inventory } from '../context.ts'
import { type PrintJob, printer } from './printer.ts'
import { pdfHeaders } from './schema.ts'

/** Draws what `read` returns and responds with the file. It is counted apart from other requests, which cost less. */
export const sendPrint = async (
  ctx: Inventory,
  req: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<PrintJob & { name: string }>,
) => {
  const person = `user:${who(req).userId}`
  await countAgainst(ctx.limiter, limits.prints, person, reply)
  const { name, ...job } = await read()
  const pdf = await printer(ctx).print(person, job)
  reply.headers(pdfHeaders(`${name}.pdf`))
  return pdf
}
