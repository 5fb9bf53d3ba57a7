import type { Channel } from './channel.ts'

const topic = 'job sent'

/** Tells the worker that runs the background jobs that one was sent, so that it need not wait until it looks again. */
export const noticeJob = (primary: Channel, name: string) => primary.tell(topic, name)

export const onJobNotice = (primary: Channel, wake: (name: string) => void) => primary.on(topic, wake)

/** Passes the notices on, in the primary process. */
export const relayJobNotices = (runner: () => Channel | undefined) => (worker: Channel) =>
  worker.on(topic, (name: string) => runner()?.tell(topic, name))
