/** A Chromium for the browser tests. */
import { existsSync } from 'node:fs'
import { run, say, SetupError, which } from './programs.mjs'

/** The path of a Chromium, or null. As root on Debian one that is missing is installed when `install` is true. */
export async function prepareChromium({ install = false } = {}) {
  const found = findChromium()
  if (found !== null || !install || process.getuid?.() !== 0 || which('apt-get') === null) return found
  say('Installing Chromium for the browser tests …')
  const options = {
    stdio: ['ignore', 'ignore', process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  await run('apt-get', ['update', '-qq'], options)
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'], options)
  return findChromium()
}

function findChromium() {
  const named = process.env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new SetupError(`CHROMIUM names ${named}, which is not there.`)
  }
  return which('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
}
