import { rmSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Bridge } from './bridge.ts'
import { keepInOrder } from './maintenance.ts'
import { openEmbedded } from './open-database.ts'

/** Input of the worker thread of the embedded database: the data folder and the address to listen on. */
export interface WorkerInput {
  folder: string
  /** The folder of the unix socket, or null for a port of the loopback interface. */
  socketFolder: string | null
  password: string | null
  /** Interval of checks for tables that need VACUUM. */
  maintenanceMs: number
}
/**
 * Messages of the worker thread of the embedded database: it is ready (with its port), it is broken (with the reason), or it
 * has stopped.
 */
export type WorkerWord = { word: 'ready'; port: number } | { word: 'broken'; reason: string } | { word: 'stopped' }

/** The number at the end of the file name of a PostgreSQL socket. Clients call it the port. */
const SOCKET_PORT = 5432
const REPORTED = `select name, setting from pg_settings where name in ('server_version', 'server_encoding', 'client_encoding', 'DateStyle',
  'IntervalStyle', 'TimeZone', 'integer_datetimes', 'standard_conforming_strings', 'in_hot_standby', 'default_transaction_read_only')`

const port = parentPort
if (!port) throw new Error('This file is started as a worker thread.')
const say = (word: WorkerWord) => port.postMessage(word)

const input = workerData as WorkerInput
const giveUp = (reason: string) => {
  say({ word: 'broken', reason })
  // Ends the thread from within any work.
  process.exit(70)
}
const db = await openEmbedded(input.folder, giveUp)
const parameters = await db.query<{ name: string; setting: string }>(REPORTED)
const bridge = new Bridge({
  backend: (messages, onAnswer) => db.execProtocolRawStream(messages, { syncToFs: false, onRawData: onAnswer }),
  parameters: Object.fromEntries(parameters.rows.map(({ name, setting }) => [name, setting])),
  password: input.password ?? undefined,
  onBroken: giveUp,
})
const server = net.createServer((socket) => bridge.attach(socket))
const listening = await listen(server, input.socketFolder)
const stopMaintenance = keepInOrder(bridge, input.folder, input.maintenanceMs)
port.on('message', () => void stop())
say({ word: 'ready', port: listening })

function listen(target: net.Server, socketFolder: string | null): Promise<number> {
  return new Promise((done, refuse) => {
    target.once('error', refuse)
    if (socketFolder === null) {
      target.listen(0, '127.0.0.1', () => done((target.address() as net.AddressInfo).port))
      return
    }
    const path = join(socketFolder, `.s.PGSQL.${SOCKET_PORT}`)
    rmSync(path, { force: true })
    target.listen(path, () => done(SOCKET_PORT))
  })
}

async function stop(): Promise<void> {
  stopMaintenance()
  server.close()
  await bridge.stop()
  await bridge.run('checkpoint')
  await db.close()
  say({ word: 'stopped' })
  port?.close()
}
