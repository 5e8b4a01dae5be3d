import { parentPort, workerData } from 'node:worker_threads'
import { findPassage } from '#shared/find-passage.ts'
import { splitPages } from '#shared/page-text.ts'
import type { PassagesTask } from './find-passages.ts'

const { text, wanted } = workerData as PassagesTask
const pages = splitPages(text)
parentPort!.postMessage(wanted.map(({ quote, nearPage }) => findPassage(pages, quote, { nearPage })))
