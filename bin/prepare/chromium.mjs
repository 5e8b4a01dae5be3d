/** A Chromium for the browser tests. */
import { existsSync } from 'node:fs'
import { run, say, SetupError, which } from './programs.mjs'

/** The same browser without windows, tabs and menus of its own, which take a fifth of its time although nobody sees them. */
const WITHOUT_WINDOW = 'chromium-headless-shell'

/**
 * The path of a Chromium, or null. As root on Debian one that is missing is installed when `install` is true: the one without
 * a window where the distribution has it.
 */
export async function prepareChromium({ install = false } = {}) {
  const named = process.env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new SetupError(`CHROMIUM names ${named}, which is not there.`)
  }
  const canInstall = install && process.getuid?.() === 0 && which('apt-get') !== null
  const found = () => which(WITHOUT_WINDOW, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
  if (!canInstall || which(WITHOUT_WINDOW) !== null) return found()
  say('Installing Chromium for the browser tests …')
  const apt = (...words) =>
    run('apt-get', words, {
      stdio: ['ignore', 'ignore', process.stderr],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  await apt('update', '-qq')
  const options = ['install', '-y', '-qq', '--no-install-recommends', 'fonts-liberation']
  if ((await apt(...options, WITHOUT_WINDOW)) !== 0 && found() === null) await apt(...options, 'chromium')
  return found()
}
