/** The parts of an OpenAPI 3.1 document that budgetd builds and the docs page reads. */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A reference to another part of the document. */
export interface Reference {
  readonly $ref: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: Readonly<Record<string, string>>;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
  /** The list of codes. */
  readonly 'x-catalogue': Catalogue;
}

export interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Reference[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required?: boolean;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: Schema;
  /** Absent if no value is right at every service. */
  readonly example?: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description: string;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** Absent where the answer has no body. */
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, Example | Reference>>;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Header {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly examples: Readonly<Record<string, Example>>;
  readonly securitySchemes: Readonly<Record<string, Schema>>;
}

/** A code as the document shows it. */
export interface CatalogueLine {
  readonly code: string;
  /** Only for a refusal. */
  readonly status?: number;
  readonly means: string;
  readonly remedy: string;
}

export interface Catalogue {
  readonly refusals: readonly CatalogueLine[];
  readonly rowErrors: readonly CatalogueLine[];
  readonly rowWarnings: readonly CatalogueLine[];
}
