export { Faces } from './faces.tsx'
export { PeoplePage } from './people-page.tsx'
