/** Gives a package that asks for node's crypto the browser's own. */
export const webcrypto = globalThis.crypto
