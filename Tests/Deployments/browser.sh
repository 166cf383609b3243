# Headless Chromium and Playwright for the tests of the web pages.
# shellcheck shell=bash

environment=$PWD/.build/deployments/page
packages=(playwright==1.65.2 axe-playwright-python==0.1.8)

# Installs Chromium and Playwright where they are missing. Prints why that is impossible, or nothing if both are installed.
obstacle() {
    command -v chromium >/dev/null || (install_packages chromium fonts-dejavu-core) >/dev/null 2>&1 ||
        { echo "Debian's chromium cannot be installed"; return; }
    if ! cmp -s <(echo "${packages[*]}") "$environment/packages"; then
        rm -rf "$environment"
        (install_packages python3-venv && python3 -m venv "$environment" &&
            timeout 120 "$environment/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "${packages[@]}") \
            >/dev/null 2>&1 || { echo "Playwright cannot be installed from PyPI"; return; }
        echo "${packages[*]}" >"$environment/packages"
    fi
}
