export { FormLookup } from './form-lookup.tsx'
export type { Chosen } from './lookup-dialog.tsx'
export type { LookedUpFields } from './lookup-fields.ts'
export { LookupOffer } from './lookup-offer.tsx'
