interface PolicyDocument extends Document {
  featurePolicy?: { allowsFeature(feature: string): boolean }
}

/** By the page's Permissions-Policy or its frame's `allow`, as Chromium tells it; elsewhere only the attempt shows. */
export const isForbidden = (feature: 'microphone' | 'display-capture'): boolean =>
  (document as PolicyDocument).featurePolicy?.allowsFeature(feature) === false
