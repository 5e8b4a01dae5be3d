/**
 * Finds a Debian mirror in the apt sources of a machine, so that this repository contains no address of a mirror.
 * @param files the apt source files: `text` is in the deb822 format if `path` ends with .sources, else in the one-line format
 * @returns the address of the mirror and the path of its keyring (undefined if the source names none), or null without a mirror
 */
export function debianMirror(files) {
  const sources = files.flatMap(({ path, text }) => (path.endsWith('.sources') ? fromStanzas(text) : fromLines(text)))
  // The archive of security updates does not contain the whole suite.
  const found = sources.find(
    ({ mirror, suites, components }) =>
      /debian/i.test(mirror) && components.includes('main') && !suites.some((suite) => suite.includes('security')),
  )
  return found === undefined ? null : { mirror: found.mirror, keyring: found.keyring }
}

function fromLines(text) {
  return text
    .split('\n')
    .map((line) => /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.+)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, options = '', mirror, suite, components]) => ({
      mirror,
      suites: [suite],
      components: components.split(/\s+/),
      keyring: /signed-by=(\/[^\s,]+)/.exec(options)?.[1],
    }))
}

function fromStanzas(text) {
  const stanzas = text.replace(/^#.*\n?/gm, '').split(/\n\s*\n/)
  return stanzas
    .map((stanza) => {
      const field = (name) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(stanza)?.[1]?.trim() ?? ''
      return {
        enabled: field('Enabled').toLowerCase() !== 'no' && /\bdeb\b/.test(field('Types').replace('deb-src', '')),
        mirror: field('URIs').split(/\s+/)[0],
        suites: field('Suites').split(/\s+/),
        components: field('Components').split(/\s+/),
        keyring: field('Signed-By').startsWith('/') ? field('Signed-By') : undefined,
      }
    })
    .filter((source) => source.enabled && source.mirror !== '')
}
