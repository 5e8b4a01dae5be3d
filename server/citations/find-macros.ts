import CSL, { type CslNode } from 'citeproc'

/** The macros of each style, by name. The key of the WeakMap is the root of the style. */
const macrosOf = new WeakMap<CslNode, Map<string | undefined, CslNode[]>>()

/**
 * Replaces the search of citeproc-js for macros by an index. The original search walks through the whole style for each use of
 * a macro, 1,600 times to compile APA, which is a third of the processor time. Searches for other elements are unchanged.
 */
export function indexMacros(): void {
  const reader = CSL.XmlJSON.prototype
  const search = reader.getNodesByName
  reader.getNodesByName = function (node, name, nameAttribute, found) {
    if (found || name !== 'macro' || !nameAttribute || node !== this.dataObj)
      return search.call(this, node, name, nameAttribute, found)
    const macros = macrosOf.get(node) ?? Map.groupBy(search.call(this, node, 'macro'), ({ attrs }) => attrs['name'])
    macrosOf.set(node, macros)
    return macros.get(nameAttribute) ?? []
  }
}
