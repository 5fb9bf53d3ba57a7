import { createServer } from 'node:net'
import { type Config, type ListenerName, listenersOf } from '#platform/config.ts'
import { codeOf, OperatorError } from '#platform/errors.ts'

const listen = (host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })

/** Why a server cannot listen, as a line that names the variable to change; other errors stay as they are. */
const explained = (error: unknown, name: ListenerName, { host, ports }: Config): unknown => {
  const setting = `${name.toUpperCase()}_PORT ${ports[name]}`
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new OperatorError(
        `${setting} is taken by another program: stop it, or set ${name.toUpperCase()}_PORT to another port.`,
      )
    case 'EACCES':
      return new OperatorError(`${setting} needs the rights of an administrator: set one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`HOST ${host} is not an address of this machine.`)
    default:
      return error
  }
}

/** Before the database is started, which may take a while: can every server listen on its port? */
export const checkPorts = async (config: Config) => {
  for (const name of listenersOf(config.services))
    await listen(config.host, config.ports[name]).catch((error) => {
      throw explained(error, name, config)
    })
}
