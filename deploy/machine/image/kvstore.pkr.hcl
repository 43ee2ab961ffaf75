# An image for machines of control plane and data planes, published into a gallery and copied to each location that has machines:
# docs/operations/machines.md. The gallery is of the Terraform module machine-image, whose output packer_variables fills most variables.

packer {
  required_version = ">= 1.11.0, < 2.0.0"

  required_plugins {
    azure = {
      source  = "github.com/hashicorp/azure"
      version = "= 2.6.3"
    }
  }
}

variable "archive" {
  description = "What `kv image --machine` wrote, for the architecture of the image."
  type        = string
}

variable "image_version" {
  description = "Version in the gallery, MAJOR.MINOR.PATCH: another one for each build."
  type        = string

  validation {
    condition     = can(regex("^[0-9]+\\.[0-9]+\\.[0-9]+$", var.image_version))
    error_message = "The image_version must be three numbers, such as 1.4.0: galleries take no other."
  }
}

variable "subscription_id" {
  description = "Subscription of the gallery, and of the machine that is built on."
  type        = string
}

variable "resource_group_name" {
  description = "Resource group of the gallery."
  type        = string
}

variable "gallery_name" {
  description = "Name of the gallery."
  type        = string
}

variable "image_name" {
  description = "Name of the image definition."
  type        = string
}

variable "location" {
  description = "Location of the gallery, where the image is built."
  type        = string
}

variable "target_locations" {
  description = "All locations that have machines; that of the gallery is one of them."
  type        = list(string)

  validation {
    condition     = length(var.target_locations) > 0
    error_message = "The target_locations must be the locations that have machines, and that of the gallery."
  }
}

variable "architecture" {
  description = "Architecture of the image definition: x64 or Arm64."
  type        = string
  default     = "x64"

  validation {
    condition     = contains(["x64", "Arm64"], var.architecture)
    error_message = "The architecture must be x64 or Arm64."
  }
}

variable "vm_size" {
  description = "Size of the machine that is built on, of the architecture. Default: one of 4 vCPUs."
  type        = string
  default     = null
}

variable "ubuntu_version" {
  description = "Version of Canonical's image of Ubuntu 24.04 LTS: az vm image list --publisher Canonical --offer ubuntu-24_04-lts --sku server --all."
  type        = string
  default     = "24.04.202609040"
}

source "azure-arm" "kvstore" {
  use_azure_cli_auth = true
  subscription_id    = var.subscription_id
  location           = var.location
  vm_size            = var.vm_size != null ? var.vm_size : var.architecture == "x64" ? "Standard_D4s_v5" : "Standard_D4ps_v5"

  # Of generation 2, and good for NVMe.
  os_type         = "Linux"
  image_publisher = "Canonical"
  image_offer     = "ubuntu-24_04-lts"
  image_sku       = var.architecture == "x64" ? "server" : "server-arm64"
  image_version   = var.ubuntu_version

  shared_image_gallery_destination {
    subscription         = var.subscription_id
    resource_group       = var.resource_group_name
    gallery_name         = var.gallery_name
    image_name           = var.image_name
    image_version        = var.image_version
    storage_account_type = "Standard_ZRS"

    dynamic "target_region" {
      for_each = var.target_locations
      content {
        name = target_region.value
      }
    }
  }

  # Copies to other continents take longer than the default of an hour.
  shared_image_gallery_timeout = "3h"
}

build {
  sources = ["source.azure-arm.kvstore"]

  provisioner "file" {
    source      = var.archive
    destination = "/tmp/kv.tar.gz"
  }

  provisioner "shell" {
    # Until then cloud-init holds the lock of the packages, and writes their sources.
    inline = ["cloud-init status --wait"]
  }

  provisioner "shell" {
    script          = "${path.root}/install.sh"
    execute_command = "chmod +x '{{ .Path }}' && sudo '{{ .Path }}' /tmp/kv.tar.gz"
  }

  # Each machine makes host keys and users of its own.
  provisioner "shell" {
    inline          = ["rm /tmp/kv.tar.gz", "/usr/sbin/waagent -force -deprovision+user", "sync"]
    execute_command = "chmod +x '{{ .Path }}' && sudo sh '{{ .Path }}'"
    inline_shebang  = "/bin/sh -eux"
  }
}
