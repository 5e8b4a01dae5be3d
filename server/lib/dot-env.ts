/** The error of an invalid setting, which prevents the start. The message is one line with the name of the variable. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** Returns the variables of `.env` in the working folder. Throws a SettingError if the file cannot be read. */
export function readDotEnv(): Record<string, string | undefined> {
  const before = { ...process.env }
  try {
    process.loadEnvFile('.env')
    const after = { ...process.env }
    return after
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new SettingError(`.env cannot be read (${(error as Error).message}).`)
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  }
}
