/** Label of the command key: '⌘' on Apple devices, otherwise 'Ctrl'. */
export const COMMAND_KEY = /^(Mac|iPhone|iPad)/.test(navigator.platform) ? '⌘' : 'Ctrl'
