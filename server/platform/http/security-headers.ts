import { createHash } from 'node:crypto'
import type { Config } from '#server/platform/services.ts'

/** Headers of every answer. `isHttps` adds the promise to stay with https. */
export function securityHeaders(config: Pick<Config, 'risk'>): (isHttps: boolean) => Record<string, string> {
  const always = {
    'Content-Security-Policy': contentSecurityPolicy(config),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  }
  const overHttps = { ...always, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
  return (isHttps) => (isHttps ? overHttps : always)
}

/**
 * Only `src/device/own-script.ts` turns text into a script. Where a risk provider's script runs too, the policy demands
 * nothing, because we cannot know what that script does in the page.
 */
const trustedTypes = { 'require-trusted-types-for': ["'script'"], 'trusted-types': ['lorgnette'] }

/**
 * Returns the policy of a page: scripts and styles that the served page contains, and others only from files. @param
 * html the page
 */
export function pagePolicy(config: Pick<Config, 'risk'>, html: string): string {
  const hashesOf = (elements: RegExp) =>
    [...html.matchAll(elements)].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return contentSecurityPolicy(config, {
    scripts: hashesOf(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g),
    styles: hashesOf(/<style[^>]*>([^]*?)<\/style>/g),
  })
}

function contentSecurityPolicy(
  { risk }: Pick<Config, 'risk'>,
  within: { scripts: string[]; styles: string[] } = { scripts: [], styles: [] },
): string {
  const riskOrigins = risk.provider === 'recaptcha' ? originsOf(risk.scriptUrl) : []
  const policy: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...within.scripts, ...riskOrigins],
    'style-src': ["'self'", ...within.styles],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...riskOrigins],
    'media-src': ["'self'", 'blob:'],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    // A frame shows a patient's PDF, from the page's own memory.
    'frame-src': ['blob:', ...riskOrigins],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    ...(riskOrigins.length === 0 && trustedTypes),
  }
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

function originsOf(scriptUrl: string): string[] {
  const { origin, hostname } = new URL(scriptUrl)
  // Google's script loads the rest of itself from here.
  return /(^|\.)(google\.com|recaptcha\.net)$/.test(hostname) ? [origin, 'https://www.gstatic.com'] : [origin]
}
