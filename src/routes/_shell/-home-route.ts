import type { RouterContext } from '#src/features/app/shell/router-context.ts'

/**
 * Both names of the home page. Patients are opened while its code is still on its way: whoever comes here most often looks for one, and
 * the first of them can be found about when the page stands. What cannot be opened is said where one searches.
 */
export const homeRoute = {
  beforeLoad: ({ context }: { context: RouterContext }): void => void context.device.patients().catch(() => undefined),
}
