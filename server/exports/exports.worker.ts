import { parentPort } from 'node:worker_threads'
import { type PartTask, writePart } from './write-part.ts'

parentPort!.on('message', (task: PartTask) => parentPort!.postMessage({ result: writePart(task) }))
