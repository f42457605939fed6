/** What a package asks node's crypto for has the browser's own in a browser. */
export const webcrypto = globalThis.crypto
