import { createRouter } from '@tanstack/react-router'
import { NotFound, PageError } from '#web/shell/index.ts'
import { parseSearch, stringifySearch } from './lib/search-params.ts'
import { routeTree } from './routeTree.gen.ts'

/** The router of the app. Every unknown URL shows the same 404 page. */
export const router = createRouter({
  routeTree,
  notFoundMode: 'root',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageError,
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
