/** Types of the part of citeproc-js that the server uses. */
declare module 'citeproc' {
  /** An element of a style or of a locale, with its child elements and texts. */
  export interface CslNode {
    name: string
    attrs: Record<string, string>
    children: (CslNode | string)[]
  }
  /** One paper of a citation. */
  export interface CiteItem {
    id: string
    locator?: string
    label?: string
    prefix?: string
    suffix?: string
  }
  export interface Citation {
    citationID?: string
    citationItems: CiteItem[]
    properties: { noteIndex: number }
  }
  interface Sys {
    retrieveLocale: (tag: string) => CslNode
    retrieveItem: (id: string) => object
  }
  class Engine {
    constructor(sys: Sys, style: CslNode | string, locale?: string, isLocaleForced?: boolean)
    opt: { 'default-locale': string[] }
    /** The items in the order of the bibliography. */
    registry: { reflist: { id: string }[] }
    setOutputFormat(format: 'html' | 'text'): void
    updateItems(ids: string[]): void
    makeCitationCluster(items: CiteItem[]): string
    /** Writes `number` in place of each number of a numeric style. Returns false if the style has no bibliography. */
    makeBibliography(number?: string): [parameters: object, entries: string[]] | false
    rebuildProcessorState(citations: Citation[], mode: 'html' | 'text'): [id: string, note: number, text: string][]
    restoreProcessorState(): void
  }
  /** The reader of a style or of a locale. `dataObj` is the root element. */
  interface XmlJson {
    dataObj: CslNode
    /**
     * Returns the nodes below `node` with an element name and, if `nameAttribute` is given, with this value of the attribute
     * 'name'. Appends them to `found`.
     */
    getNodesByName(node: CslNode, name: string, nameAttribute?: string, found?: CslNode[]): CslNode[]
  }
  const CSL: { Engine: typeof Engine; XmlJSON: { prototype: XmlJson } }
  export default CSL
}
