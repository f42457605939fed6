import type { RouterContext } from '#src/features/app/shell/router-context.ts'

/**
 * Both addresses of the home page. They open the patients while the code of the page still loads: most users come here
 * to find a patient. The first patients can then be found about when the page shows. The search reports an error.
 */
export const homeRoute = {
  beforeLoad: ({ context }: { context: RouterContext }): void => void context.device.patients().catch(() => undefined),
}
