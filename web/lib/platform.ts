/** Label of the command key on this platform. */
export const COMMAND_KEY = /^(Mac|iPhone|iPad)/.test(navigator.platform) ? '⌘' : 'Ctrl'
