import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { type Config, type ListenerName, listenersOf } from '#platform/config.ts'
import { codeOf, OperatorError } from '#platform/errors.ts'
import type { App } from '../app.ts'

/** Fails with one line for the operator if another program has the port, or this one may not have it. */
export const listen = (server: App, name: ListenerName, config: Config) =>
  server.listen({ host: config.host, port: config.ports[name] }).catch((error) => {
    throw explained(error, name, config)
  })

/**
 * Finds the usual reasons why a server will not be able to listen before the database is started, which may take a while.
 * It does not listen on the ports themselves: a proxy that waits for this node to return would send requests there, and
 * they would be reset.
 */
export const checkPorts = async (config: Config) => {
  await checkHost(config.host)
  for (const name of listenersOf(config.services))
    if (await isTaken(config.host, config.ports[name])) throw taken(name, config)
}

const checkHost = async (host: string) => {
  const server = createServer().listen({ host, port: 0 })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw isUnknownAddress(error) ? unknownAddress(host) : error
  } finally {
    server.close()
  }
}

/** A program that has not accepted the connection by then is found when the server listens. */
const patienceMs = 500

const isTaken = async (host: string, port: number) => {
  if (port === 0) return false
  const signal = AbortSignal.timeout(patienceMs)
  // A name is looked up as the server will look it up: its first address only.
  const socket = connect({ host, port, autoSelectFamily: false, signal })
  try {
    await once(socket, 'connect')
    // If nothing listens, the system may happen to choose this very port for the socket, which is then connected to itself.
    return socket.localPort !== port
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Why a server cannot listen, as a line that names the variable to change; other errors stay as they are. */
const explained = (error: unknown, name: ListenerName, config: Config): unknown => {
  if (codeOf(error) === 'EADDRINUSE') return taken(name, config)
  if (codeOf(error) === 'EACCES') return notAllowed(name, config)
  return isUnknownAddress(error) ? unknownAddress(config.host) : error
}

const isUnknownAddress = (error: unknown) =>
  ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(codeOf(error)))
const unknownAddress = (host: string) => new OperatorError(`HOST ${host} is not an address of this machine.`)

const notAllowed = (name: ListenerName, config: Config) =>
  new OperatorError(`${settingOf(name, config)} needs the rights of an administrator: set one above 1023.`)

const taken = (name: ListenerName, config: Config) =>
  new OperatorError(
    `${settingOf(name, config)} is taken by another program: stop it, or set ${variableOf(name)} to another port.`,
  )

const settingOf = (name: ListenerName, { ports }: Config) => `${variableOf(name)} ${ports[name]}`
const variableOf = (name: ListenerName) => `${name.toUpperCase()}_PORT`
