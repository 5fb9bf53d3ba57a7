import type { Booted } from './boot.ts'

/** Changes the last event of a subject behind the back of its service, until it is undone. */
export const tampering = ({ sql }: Pick<Booted, 'sql'>, service: string) => {
  const undoing: (() => Promise<unknown>)[] = []
  const lastOf = async (subject: string) => {
    const [event] = await sql<{ seq: number; type: string; data: object }[]>`
      select seq, type, data from platform.events where service = ${service} and subject = ${subject}
      order by seq desc limit 1`
    if (!event) throw new Error(`${subject} has no event`)
    return event
  }
  return {
    async remove(subject: string) {
      const { seq } = await lastOf(subject)
      await sql`update platform.events set service = ${`no ${service}`} where seq = ${seq}`
      undoing.push(() => sql`update platform.events set service = ${service} where seq = ${seq}`)
    },
    async repeat(subject: string, change: { type?: string; subject?: string } = {}) {
      const { seq, type } = await lastOf(subject)
      const [added] = await sql<{ seq: number }[]>`
        insert into platform.events (service, owner, type, subject, data)
        select service, owner, ${change.type ?? type}, ${change.subject ?? subject}, data
        from platform.events where seq = ${seq} returning seq`
      undoing.push(() => sql`delete from platform.events where seq = ${added?.seq as number}`)
    },
    async alter(subject: string, change: object) {
      const { seq, data } = await lastOf(subject)
      const set = (value: object) =>
        sql`update platform.events set data = ${JSON.stringify(value)}::json where seq = ${seq}`
      await set({ ...data, ...change })
      undoing.push(() => set(data))
    },
    /** Everything is as it was. */
    async undo() {
      for (const undo of undoing.splice(0).reverse()) await undo()
    },
  }
}
