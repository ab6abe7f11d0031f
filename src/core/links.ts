/** Addresses of the service, and the links that people open in a browser. */

/** The address at which a service listens. */
export function serviceAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The address of the page that a one-time link opens. */
export function linkTo(base: string, token: string): string {
  return `${base.replace(/\/$/, '')}/set-up?token=${token}`;
}
