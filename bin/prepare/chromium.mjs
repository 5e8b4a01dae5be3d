/** Finds or installs a Chromium for the browser tests. */
import { existsSync } from 'node:fs'
import { run, say, SetupError, which } from './programs.mjs'

/** Name of the Chromium without a user interface. Tests take a fifth less time with it than with the normal Chromium. */
const WITHOUT_WINDOW = 'chromium-headless-shell'

/**
 * Returns the path of a Chromium, or null if there is none. Uses the path in CHROMIUM if it is set, and throws a SetupError if
 * that file does not exist. With `install`, and as root on Debian, installs `chromium-headless-shell` with apt if it is
 * missing. If this fails and there is no other Chromium, installs `chromium`.
 */
export async function prepareChromium({ install = false } = {}) {
  const named = process.env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new SetupError(`CHROMIUM is set to ${named}, which does not exist.`)
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
