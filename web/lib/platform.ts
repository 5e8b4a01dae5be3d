/** The key that gives commands on this machine, as it is written on the keyboard. */
export const COMMAND_KEY = /^(Mac|iPhone|iPad)/.test(navigator.platform) ? '⌘' : 'Ctrl'
