import packageJson from '../../package.json' with { type: 'json' }

/** The version of this installation, as package.json names it. */
export const version: string = packageJson.version
