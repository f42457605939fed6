/** Settings pages that exist: the settings menu lists these, and /settings leads to the first. */
export const workingSettings = ['/settings/inventory', '/settings/optical', '/settings/tablets', '/settings/security-log'] as const
