import { readFileSync } from 'node:fs'

/**
 * Loaded before a server under test: its clock is as many milliseconds ahead as the file CLOCK_SHIFT_FILE says, at every
 * moment, in every thread. What nobody can set goes on as it does.
 */
const RealDate = Date
let shift = 0
const look = () => {
  shift = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8')) || 0
}
look()
setInterval(look, 20).unref()
const now = () => RealDate.now() + shift
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
